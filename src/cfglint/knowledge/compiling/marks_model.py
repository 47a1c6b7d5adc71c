"""The part of `framework.yaml` that says how a framework shows in the files of a project: `marks`."""

from __future__ import annotations

from pydantic import Field

from cfglint.knowledge.compiling.model import Model


class Images(Model):
    """The container images of a framework."""

    accounts: list[str]
    repository: str
    base: str = Field(description="How the names of images that lack the framework begin.")
    retired: dict[str, str] = Field(
        default_factory=dict,
        description="Account that gets no images any longer -> the day of the last ones, YYYYMMDD.",
    )


class StarterModel(Model):
    """The commands that start a run with a config."""

    script: str
    script_is_also: list[str] = Field(
        default_factory=list,
        description="Other names of the script, and modules and files that do the same.",
    )
    modules: str
    files: list[str] = Field(default_factory=list)
    file_options: list[str] = Field(
        default_factory=list,
        description="Options one of which shows that a file of such a name is its own, where other projects"
        " have files of these names, too.",
    )
    commands: list[str]
    trains: list[str] = Field(["train"], description="Those of the commands that train.")
    commands_beside: list[str] = Field(
        default_factory=list,
        description="Sub-commands of the script that take options and no config, and train nothing.",
    )
    launched_with: str = ""
    launched_plainly_by: str = ""
    other_files: list[str] = Field(
        default_factory=list,
        description="Options of the script whose value is a file of another kind than a config.",
    )
    hardware_in: str = Field(
        "", description="The one of these options whose file states how many GPUs a run has."
    )
    sweeps_in: str = Field(
        "",
        description="The one of these options whose file has the values of several runs; the module `sweeps` of the"
        " framework's package reads such files.",
    )
    settings_in: str = Field(
        "",
        description="Its option that names the launcher's settings file, beside the launcher's own.",
    )
    processes_from: str = Field(
        "",
        description="The variable with which its own command starts so many processes on each machine.",
    )
    machines_from: str = Field("", description="The variable with the number of machines, then.")
    every_device: bool = Field(
        False, description="Without that variable, it starts a process for each GPU that it sees."
    )
    forced_by: str = Field(
        "", description="The variable without which it starts no others where it sees a single GPU."
    )
    unless_set: list[str] = Field(
        default_factory=list, description="Variables that leave the processes to something else."
    )


class LauncherModel(Model):
    """A program that starts processes: how it is called, which options say how many."""

    name: str
    commands: list[str]
    total: list[str]
    each: list[str]
    machines: list[str]
    settings: str
    flags: list[str] = Field(default_factory=list, description="Its options that have no value.")
    options: list[str] = Field(
        default_factory=list,
        description="The other options that it has in any release; none where they are not known.",
    )
    commands_beside: list[str] = Field(
        default_factory=list, description="The sub-commands of its program that start nothing."
    )
    every_device: bool = Field(
        False, description="Without the number, it starts a process for each GPU that it sees."
    )
    devices_in: str = Field(
        "", description="The option that lists the GPUs of each machine: `HOST:0,1@HOST:0`."
    )
    elsewhere: list[str] = Field(
        default_factory=list, description="Options that name other machines, or leave GPUs out."
    )
    kind: str = Field("", description="The key of its settings file that says what it starts.")
    hands_on: dict[str, str] = Field(
        default_factory=dict,
        description="Framework -> the kind of run for which it hands a file of that framework on.",
    )
    hands_on_with: list[str] = Field(
        default_factory=list, description="What asks for that, whatever the kind is."
    )
    other_kinds: list[str] = Field(
        default_factory=list, description="The kinds for which none of these files is read."
    )
    instead: list[str] = Field(
        default_factory=list, description="Its options that take the place of the kind."
    )


class SettingsFileModel(Model):
    """The file in which a launcher keeps how many processes it starts."""

    starts: list[str]
    named: list[str]
    keys: list[str]
    processes: str
    machines: str
    alone: str


class MarksModel(Model):
    """What says in a project's files that it runs a framework."""

    words: list[str] = Field(default_factory=list)
    images: Images | None = None
    repository: str = ""
    owners: list[str] = Field(
        default_factory=list,
        description="The accounts that have the original under this name; others have forks.",
    )
    version_files: list[str] = Field(default_factory=list)
    started_by: StarterModel | None = None
    launcher: LauncherModel | None = None
    settings_file: SettingsFileModel | None = None
