/** What can be decided without an editor: which program serves, what it is told, what is shown. */

/** A program with its arguments. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
}

/** The settings below `cfglint`, as a user may have written them. */
export type Settings = Readonly<Record<string, unknown>>;

/** The findings of one file or of all, by severity. */
export interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

/** What the status item shows. */
export interface Status {
  readonly text: string;
  readonly tooltip: string;
}

const OPTIONS = ["target", "gpus", "gpu", "select", "ignore", "minConfidence", "delay"] as const;

/** A program that may serve, and a command that ends well if it can. */
export interface Candidate {
  readonly launch: Launch;
  readonly probe: Launch;
}

/** What decides which programs may serve. */
export interface Surroundings {
  /** What the user set; something else than a list of texts counts as nothing. */
  readonly command: unknown;
  /** The Python that the user has selected, when there is one. */
  readonly interpreter: string | undefined;
  /**
   * Whether the user trusts the folders. Interpreters may lie in them, so those are started only then.
   * The workspace's own `cfglint.command` is left out by VS Code.
   */
  readonly trusted: boolean;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** The folder of the extension, which brings a cfglint of its own. */
  readonly extension: string;
  readonly windows: boolean;
}

const IMPORTS = "import cfglint.server.features";

/** A Python in whose environment cfglint may be; isolated: neither the current folder nor PYTHONPATH can bring modules. */
function ofPython(program: string): Candidate {
  return {
    launch: { program, args: ["-I", "-m", "cfglint", "server"] },
    probe: { program, args: ["-I", "-c", IMPORTS] },
  };
}

/** The programs that may serve, the one that is wanted most first. What the user set is the only one. */
export function candidates(around: Surroundings): Candidate[] {
  const words = Array.isArray(around.command) ? around.command : [];
  const [program, ...args] = words.filter((word): word is string => typeof word === "string");
  if (program !== undefined && program !== "" && words.length === args.length + 1) {
    return [{ launch: { program, args }, probe: { program, args: [...args, "--help"] } }];
  }
  const separator = around.windows ? "\\" : "/";
  const inside = around.windows ? ["Scripts", "python.exe"] : ["bin", "python"];
  const own = [around.interpreter ?? ""].filter((one) => one !== "");
  const environments = around.folders.flatMap((folder) =>
    [".venv", "venv"].map((name) => [folder, name, ...inside].join(separator)),
  );
  const trusted = around.trusted ? [...new Set([...own, ...environments])].map(ofPython) : [];
  const runner = [around.extension, "bundled", "run_server.py"].join(separator);
  const pythons = [...(around.trusted ? own : []), ...(around.windows ? ["py", "python"] : ["python3", "python"])];
  const bundled = pythons.map((python) => ({
    launch: { program: python, args: ["-I", runner, "server"] },
    probe: { program: python, args: ["-I", runner, "--probe"] },
  }));
  const onPath = {
    launch: { program: "cfglint", args: ["server"] },
    probe: { program: "cfglint", args: ["server", "--help"] },
  };
  return [...trusted, onPath, ...bundled];
}

/** What the server is told at its start; what is not set is left to the project's settings. */
export function initializationOptions(settings: Settings): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const name of OPTIONS) {
    const value = settings[name];
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (value !== undefined && value !== null && value !== "" && !isEmpty) {
      told[name] = value;
    }
  }
  return told;
}

/**
 * The counts of findings.
 * @param severities as the protocol has them: 1 for errors, 2 for warnings.
 */
export function counted(severities: Iterable<number | undefined>): Counts {
  let errors = 0;
  let warnings = 0;
  let notes = 0;
  for (const severity of severities) {
    if (severity === 1) {
      errors += 1;
    } else if (severity === 2) {
      warnings += 1;
    } else {
      notes += 1;
    }
  }
  return { errors, warnings, notes };
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What the counts come to in words. */
export function inWords(counts: Counts): string {
  const parts = [
    counts.errors > 0 ? plural(counts.errors, "error") : "",
    counts.warnings > 0 ? plural(counts.warnings, "warning") : "",
    counts.notes > 0 ? plural(counts.notes, "note") : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(", ") : "nothing found";
}

/**
 * What the status item shows.
 * @param counts those of the file that is shown; undefined while no server runs.
 * @param failure why none runs, when that is known.
 */
export function status(counts: Counts | undefined, failure?: string): Status {
  if (failure !== undefined) {
    return { text: "$(warning) cfglint", tooltip: failure };
  }
  if (counts === undefined) {
    return { text: "$(sync~spin) cfglint", tooltip: "cfglint is starting" };
  }
  const icon = counts.errors > 0 ? "$(error)" : counts.warnings > 0 ? "$(alert)" : "$(check)";
  return { text: `${icon} cfglint`, tooltip: `cfglint: ${inWords(counts)}` };
}

/** Why no server runs, and what helps. */
export function startFailure(tried: readonly Candidate[], error?: unknown): string {
  const why = error instanceof Error ? `: ${error.message}` : "";
  const [only, ...others] = tried;
  const told =
    only !== undefined && others.length === 0
      ? `\`${[only.launch.program, ...only.launch.args].join(" ")}\` does not start${why}`
      : `no server starts${why}. It needs Python 3.10 or newer`;
  return `cfglint: ${told}. Install it with pip install 'cfglint-llm[server]', or set cfglint.command.`;
}

/** The name of the page of a rule or key. */
export function pageName(subject: string): string {
  return `${subject.replace(/[^\w.[\]-]/g, "_").slice(0, 80) || "cfglint"}.md`;
}

/** The name of the document beside a file that shows its effective configuration. */
export function effectiveName(path: string): string {
  const name = path.split(/[\\/]/).pop() ?? "";
  return `${name.replace(/\.ya?ml$/i, "") || "config"} (effective).yml`;
}
