"""What people met who used cfglint for the first time, and what keeps each of it from coming back.

A row is a thing that somebody met, in the order in which a day with the tool goes, with the tests that hold
it now (`FILE::TEST` below tests/, or the code of a rule, whose examples hold it), or with one sentence why
nothing does. A row without tests is open: whoever closes one writes the test's name in its place.
"""

from __future__ import annotations

from typing import NamedTuple


class Met(NamedTuple):
    """One thing that a new user met."""

    what: str
    held: tuple[str, ...] = ()
    #: Why no test holds it; empty where one does.
    why_not: str = ""


def _met(what: str, *held: str, why_not: str = "") -> Met:
    return Met(what, held, why_not)


#: A wrong answer, or none.
ANSWERS = (
    _met(
        "the estimate of memory divided a copy of the model between the GPUs that each hold one",
        "runs/memory/test_estimate.py::test_gpus_share_activations_only_where_layers_are_divided",
    ),
    _met(
        "`fit` called a model of seven billion parameters nothing",
        "cli/test_fit.py::test_never_nothing_at_least",
    ),
    _met(
        "launch scripts without a YAML file were not read",
        "frameworks/llamafactory/test_scripts.py::test_a_command_with_options_is_a_file",
        "frameworks/trl/test_scripts.py::test_the_command_has_its_options",
    ),
    _met(
        "a list of datasets was not checked beyond its names",
        "frameworks/llamafactory/test_dataset_lists.py::test_what_a_config_names_is_an_error_and_the_rest_a_warning",
        "frameworks/llamafactory/test_dataset_lists.py::test_entries_with_a_file",
    ),
    _met(
        "nothing could be installed as anything else is",
        "cli/test_init.py::test_what_is_installed_may_be_stated",
        "tools/test_release_notes.py::test_the_section_of_a_release",
    ),
)
#: The report and the command line.
REPORT = (
    _met("errors could not be seen alone", "cli/test_choosing.py::test_min_severity"),
    _met(
        "paths were cut, so that nothing could open them",
        "cli/test_reading_order.py::test_a_long_path_is_whole",
    ),
    _met(
        "statistics counted the severity of rules, not that of findings",
        "cli/test_choosing.py::test_statistics_count_the_findings_own_severities",
    ),
    _met(
        "a fix that was refused was offered again",
        "fixes/test_loop.py::test_a_rejected_fix_is_not_offered_any_longer",
    ),
    _met(
        "a chain of safe fixes took away a setting",
        "fixes/test_loop.py::test_a_safe_fix_takes_away_no_setting_that_an_earlier_one_wrote",
    ),
    _met(
        "a script or a program was started without a word about its memory",
        "answers/preflight/test_judging.py::test_the_memory_of_scripts_and_programs",
    ),
    _met(
        "at least 0.0 GiB were needed",
        "answers/preflight/test_judging.py::test_nothing_at_least_is_not_a_number",
    ),
    _met(
        "the script of the page on launch scripts was not recognized",
        "frameworks/trl_programs/test_scripts.py::test_the_page_about_scripts_shows_what_is_printed",
    ),
    _met(
        "no cause was known of what Slurm did, nor of a missing package",
        "answers/logs/test_causes.py::test_ends_of_jobs",
        "answers/logs/test_failures.py::test_what_slurm_did_to_a_job",
    ),
    _met(
        "more findings were called fixable than `--fix` repairs",
        why_not="Whether two fixes go together shows only when both are made, which a check does not do.",
    ),
    _met("`--quiet` printed twenty lines", "cli/test_choosing.py::test_quiet_is_one_line"),
    _met(
        "the releases that were checked for filled five lines",
        "cli/test_choosing.py::test_each_package_is_named_once",
    ),
    _met(
        "it was said that rules were undecided, and not which",
        "cli/test_choosing.py::test_verbose_names_the_rules_that_are_undecided",
    ),
    _met(
        "notes about other releases filled the report",
        "report/test_blocks.py::test_other_releases_are_a_line_of_the_summary",
    ),
    _met(
        "files that were left out were not mentioned",
        "cli/test_show_files.py::test_the_list",
        "cli/test_show_files.py::test_the_summary_counts",
    ),
    _met(
        "a script that starts a config was called unknown",
        "frameworks/llamafactory/test_scripts.py::test_a_script_that_names_files_says_which",
    ),
    _met(
        "a file in the same folder made an error of an unrelated one",
        "engine/files_together/test_edges.py::test_alone_a_file_is_judged_by_what_it_says_alone",
    ),
    _met("of several keys that exclude a file one was named", "rule:ACC030"),
    _met(
        "options that others have were missing",
        "cli/test_choosing.py::test_short_options",
        "cli/test_choosing.py::test_exclude_and_force_exclude",
        "cli/test_choosing.py::test_extend_select",
        "cli/test_choosing.py::test_staged",
    ),
    _met(
        "a check of two changed files took as long as one of all",
        why_not="A config counts as changed when a file that it names has changed, which only reading it tells.",
    ),
)
#: `migrate`, `effective`, `explain` and `fit`.
COMMANDS = (
    _met(
        "a release just below the known ones was answered with a far one",
        "cli/test_migrate.py::test_a_release_just_below_the_known_ones_is_the_first_of_them",
    ),
    _met(
        "an old file without a stated release was taken for one of the newest",
        "cli/test_migrate.py::test_the_values_of_a_file_tell_its_age_as_well",
        "cli/test_migrate.py::test_without_a_release_the_newest_one_is_meant",
    ),
    _met(
        "that nothing was written stood at the end of sixty lines",
        "cli/test_migrate.py::test_nothing_is_written_unless_all_could_be_done",
    ),
    _met(
        "what differs was hidden among a hundred defaults",
        "cli/test_effective.py::test_a_comparison_shows_what_differs_and_nothing_else",
        "cli/test_effective.py::test_a_release_that_refuses_the_file_is_reported",
    ),
    _met(
        "keys were not explained",
        "cli/test_explain_keys.py::test_a_key_with_all_that_is_known_about_it",
    ),
    _met(
        "GPUs were recommended by the lower bound",
        "cli/test_fit.py::test_the_table_goes_by_the_same_limit_as_the_verdict",
        "cli/test_fit.py::test_equal_lines_are_one",
    ),
    _met(
        "of an unknown model it was not said what to do",
        "cli/test_fit.py::test_without_an_estimate",
        "cli/test_fit.py::test_what_cannot_be_estimated",
    ),
    _met(
        "GPUs were taken from a script that has nothing to do with the file",
        "environment/project/test_machines.py::test_a_script_counts_for_what_it_may_start",
    ),
)
#: Setting a project up.
PROJECT = (
    _met(
        "no pipeline was proposed, without a word",
        "cli/test_init.py::test_why_no_pipeline_is_proposed_is_told",
    ),
    _met(
        "nothing showed what the project states",
        "cli/test_settings.py::test_what_a_file_is_checked_for_and_what_was_outweighed",
    ),
    _met(
        "reports and fixes were written through links out of the project",
        "cli/test_strangers.py::test_no_report_is_written_through_a_link_out_of_the_repository",
        "cli/test_strangers.py::test_a_link_out_of_the_repository_is_neither_shown_nor_fixed",
        "cli/test_strangers.py::test_settings_are_not_read_through_such_a_link",
    ),
    _met(
        "a first rule took five rounds of one error each",
        "knowledge/rules/test_rule_files.py::test_all_problems_of_all_files_are_reported_at_once_with_their_lines",
        "engine/authoring/test_rule_files.py::test_a_new_rule_is_whole_but_for_what_is_to_be_filled_in",
    ),
    _met(
        "the action lacked a baseline, a commit and a folder, and installed each time",
        "doors/test_action.py::test_a_baseline_is_an_input",
        "doors/test_action.py::test_only_changed_files_are_checked_on_demand",
        "doors/test_action.py::test_paths_count_from_the_working_directory",
        "doors/test_action.py::test_a_pinned_release_is_taken_from_the_tool_cache",
    ),
)
#: Editors.
EDITORS = (
    _met(
        "while a key was typed, all other findings vanished",
        "server/test_server.py::test_a_half_typed_line_leaves_the_other_findings",
        "server/test_server.py::test_completion_below_half_typed_lines",
        "tools/test_half_typed_campaign.py::test_half_lines_leave_the_other_findings_as_they_were",
    ),
    _met(
        "why a finding is one could not be asked in an editor",
        "server/test_explaining.py::test_a_finding_and_the_key_at_the_cursor_are_explained",
        "server/test_explaining.py::test_codes_are_links_where_the_documentation_has_an_address",
    ),
    _met(
        "the extension did not find the environment of the folder, and failed twice",
        "doors/test_vscode.py::test_the_extension_is_built_tested_and_packaged",
    ),
    _met(
        "many values were not completed",
        "server/test_server.py::test_what_no_schema_lists_is_offered",
        "server/test_server.py::test_codes_are_offered_in_comments",
    ),
    _met(
        "a schema alone took keys that are dropped",
        "report/json_schemas/test_json_schema.py::test_a_strict_schema_refuses_what_is_dropped",
    ),
)
#: The playground and the site.
WEB = (
    _met(
        "the sample's second file stayed beside one's own config",
        "tools/test_playground.py::test_files_that_no_other_names_step_back",
    ),
    _met(
        "a config with one line indented wrongly was said to say nothing",
        "tools/test_playground.py::test_the_framework_of_the_first_file",
    ),
    _met(
        "the card of the playground led to how it is built",
        "tools/test_site.py::test_the_start_and_the_guide_lead_to_the_playground_if_the_site_has_one",
    ),
    _met(
        "the playground had findings and fixes alone",
        "tools/test_playground.py::test_other_commands_print_what_they_print_in_a_terminal",
        "tools/test_playground.py::test_a_key_is_explained_where_the_mouse_is",
        "tools/test_playground.py::test_a_half_typed_gpu_is_left_out_and_named",
    ),
    _met(
        "the site was built for minutes without a word",
        "tools/test_site_building.py::test_pages_are_written_by_several_processes_in_one_order",
    ),
)
#: The library and large runs.
LARGE = (
    _met(
        "four commands had no counterpart in the library",
        "api/test_questions.py::test_effective",
        "api/test_questions.py::test_no_module_takes_the_place_of_a_function",
    ),
    _met(
        "a scan showed nothing for eighteen seconds",
        "api/scan/test_progress.py::test_each_batch_is_reported_with_the_total",
    ),
)
#: How it looks.
LOOKS = (
    _met(
        "one report named a file in two ways",
        "engine/files_together/test_other_files.py::test_the_whole_path_when_the_config_was_named_so",
    ),
    _met(
        "pages showed what is no longer printed",
        "test_docs.py::test_reports_are_shown_as_they_are_printed",
        "test_docs.py::test_the_settings_are_shown_as_they_are_printed",
    ),
    _met(
        "the guide's rule was formatted anew",
        "knowledge/rules/test_team_document.py::test_the_documented_rule",
    ),
    _met(
        "the help of commands was cut, and `rules` called itself by another name",
        "cli/test_commands.py::test_the_list_of_commands_has_whole_sentences",
    ),
    _met(
        "a fix to be reviewed could not be told from its title without colours",
        "report/test_snapshots.py::test_format",
    ),
    _met(
        "a second report took the place of the first",
        "cli/test_options.py::test_two_reports_do_not_share_a_file",
    ),
    _met(
        "what the guide lets one build was not ignored by git",
        "doors/test_new_user.py::test_what_the_guides_let_one_build_is_ignored",
    ),
    _met(
        "the playground broke its own policy and had no way back",
        "doors/test_playground.py::test_the_playground",
    ),
    _met(
        "the site had the generator's default look",
        "tools/test_site_rendering.py::test_a_terminal_is_shown_in_its_colors",
        "doors/test_site.py::test_blocks_are_copied_without_prompts",
    ),
    _met(
        "the extension had no icon, and a button on every tab",
        "doors/test_vscode.py::test_the_icon_is_a_square_of_128_pixels",
        "doors/test_vscode.py::test_the_effective_configuration_is_offered_for_configs_alone",
    ),
    _met(
        "the list of options buried what a finding on a launch line says",
        "engine/launches/test_overrides.py::test_the_place_and_the_words",
    ),
    _met(
        "`fit` drew bars of nothing and had no colours",
        "cli/test_fit.py::test_small_terms_are_in_mib_and_have_no_bar",
        "cli/test_fit.py::test_colors",
    ),
)
#: What later readers met, who had never seen it.
LATER = (
    _met(
        "words that a script is called with hid what is wrong with its own",
        "rule:VRL061",
        "rule:VRL062",
    ),
    _met(
        "a trainer's finding named a parameter that the release does not have",
        "frameworks/trl_programs/test_framework.py::test_the_config_of_an_older_release_has_the_older_name",
    ),
    _met(
        "a tool refused a version that was not in a list",
        "server/agents/test_functions.py::test_a_target_may_be_a_text",
    ),
    _met(
        "a scan read columns that no line has",
        "api/scan/test_tables.py::test_lines_without_a_column",
    ),
    _met(
        "the evidence was about another program than the one that reads the file",
        "report/formats/test_agent.py::test_the_evidence_is_about_the_framework_that_reads_the_file",
    ),
    _met(
        "a slip in a name of an older release had no suggestion",
        "checks/test_slips.py::test_a_slip_in_a_key_that_only_older_releases_have",
    ),
    _met(
        "fixes were promised in files that --fix does not touch",
        "cli/test_choosing.py::test_what_a_fix_does_not_reach_is_told_apart",
    ),
    _met(
        "files of a search had `./` before their names, and others had not",
        "cli/test_choosing.py::test_files_of_a_folder_are_called_as_those_that_they_name",
    ),
    _met(
        "--staged wanted a path",
        "cli/test_choosing.py::test_options_that_say_which_files_need_no_path",
    ),
    _met(
        "keys that were left alone were not named",
        "cli/test_choosing.py::test_keys_that_only_the_newest_release_refuses_are_named",
    ),
    _met(
        "there were no problems where a baseline hid some",
        "cli/test_baseline.py::test_known_findings_are_not_reported_and_do_not_fail",
    ),
    _met(
        "fifty options stood in one list",
        "cli/test_commands.py::test_the_help_lists_the_options_of_a_check",
    ),
    _met(
        "Markdown showed backticks instead of code",
        "report/test_injection.py::test_what_is_code_in_a_message",
    ),
    _met(
        "a key was explained for other frameworks than the target's, and its names twice",
        "cli/test_explain_keys.py::test_a_target_chooses_the_framework",
        "cli/test_explain_keys.py::test_names_elsewhere_are_told_once",
    ),
    _met(
        "after a crash the commonest errors were unknown, and what is known was not said",
        "answers/logs/test_refused.py::test_what_was_not_known",
        "cli/test_diagnose.py::test_a_base_model_without_a_template",
        "cli/test_diagnose.py::test_what_became_of_an_argument_is_told_without_a_config",
        "cli/test_diagnose.py::test_what_is_certain_comes_before_what_may_be",
    ),
    _met(
        "a command without dashes before it was called an extra argument",
        "cli/test_preflight.py::test_a_command_without_dashes_before_it",
    ),
    _met(
        "an agent could not ask what would fit", "server/agents/test_functions.py::test_fit_advises"
    ),
    _met(
        "one reason was printed for each of four keys",
        "cli/test_effective.py::test_a_reason_is_not_repeated",
    ),
    _met(
        "a comparison wanted the package that a migration does without",
        "cli/test_effective.py::test_a_release_needs_no_package",
    ),
    _met(
        "a moved pin left another one that does not go with it",
        "cli/test_migrate.py::test_a_version_that_the_new_release_does_not_admit_is_told",
    ),
    _met(
        "`init` wrote the release of a framework that the project does not use",
        "cli/test_init.py::test_each_framework_of_the_project_has_its_release",
    ),
    _met(
        "a slip in YAML hid all else",
        "engine/test_lint.py::test_what_is_wrong_behind_slips_is_told_at_its_place",
    ),
    _met(
        "the cells of a notebook were not named, and in an editor not checked",
        "cli/test_reading_order.py::test_a_place_in_a_notebook_names_the_cell",
        "server/test_notebooks.py::test_a_notebook_in_an_editor",
    ),
    _met(
        "memory was counted with other bytes than it said",
        "frameworks/trl/fit/test_trl_run.py::test_what_is_said_of_the_weights_is_what_is_counted",
    ),
    _met(
        "classes that a command fills, and parameters of classes, were not explained",
        "cli/test_keys.py::test_a_class_that_a_command_fills",
        "cli/test_explain_keys.py::test_a_parameter_of_a_class",
    ),
    _met(
        "calls in programs and in cells were not completed, and cells had no fix for all",
        "server/test_programs.py::test_a_program_has_fixes_and_completions_in_its_calls",
        "server/test_notebooks.py::test_keywords_and_values_are_completed_in_cells",
        "server/test_notebooks.py::test_all_fixes_of_a_notebook_are_made_at_once",
    ),
    _met(
        "the playground waited for the Enter key when the GPU was typed",
        "doors/test_playground.py::test_the_playground",
    ),
    _met(
        "`diagnose --config train.yml` and `migrate` ended with a traceback",
        "cli/test_diagnose.py::test_a_config_in_the_place_of_settings_is_told_apart",
    ),
    _met(
        "`optimizer: adamw` was repaired to another algorithm",
        "base/test_spelling.py::test_a_part_of_one_name_suggests_it",
        "rule:OPT451",
    ),
    _met(
        "three slips in a script made it a fork's, with warnings and exit code 0",
        "frameworks/verl/test_framework.py::test_keys_of_a_fork_are_one_note",
    ),
    _met(
        "lists of defaults were shown as lists of nulls",
        "cli/test_effective.py::test_lists_of_defaults_are_no_lists_of_nulls",
    ),
    _met(
        "GPUs of 8 GB were recommended where the DeepSpeed file was missing",
        "cli/test_fit.py::test_without_the_file_of_deepspeed_no_gpu_is_recommended",
    ),
    _met(
        'a parameter was called a key among parameters, and a release that of "TRL programs"',
        "test_docs.py::test_reports_are_shown_as_they_are_printed",
        "engine/severity/releases/test_assumed.py::test_the_release_is_that_of_the_package",
    ),
    _met(
        "a script with options hid that it starts a config, too",
        "frameworks/llamafactory/test_scripts.py"
        "::test_a_script_with_options_also_names_the_files_that_it_starts",
    ),
    _met(
        "what a run without a config crashed with was unknown: refused values, quantized models",
        "cli/test_diagnose.py::test_what_needs_no_config",
    ),
    _met(
        "`fit` and `effective` know no Python programs",
        why_not="What a program computes is not followed far enough to say what a run needs.",
    ),
)
EVERY = (*ANSWERS, *REPORT, *COMMANDS, *PROJECT, *EDITORS, *WEB, *LARGE, *LOOKS, *LATER)
