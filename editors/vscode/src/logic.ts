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

/**
 * Which program serves.
 * @param command what the user set; something else than a list of texts counts as nothing.
 * @param interpreter the Python that the user has selected, when there is one.
 * @param trusted whether the user trusts the folder. The interpreter may lie in it, so it is
 *   started only then. The workspace's own `cfglint.command` is left out by VS Code.
 */
export function serverLaunch(
  command: unknown,
  interpreter: string | undefined,
  trusted: boolean,
): Launch {
  const words = Array.isArray(command) ? command : [];
  const [program, ...args] = words.filter((word): word is string => typeof word === "string");
  if (program !== undefined && program !== "" && words.length === args.length + 1) {
    return { program, args };
  }
  if (trusted && interpreter !== undefined && interpreter !== "") {
    // Isolated: neither the current folder nor PYTHONPATH can bring modules of their own.
    return { program: interpreter, args: ["-I", "-m", "cfglint", "server"] };
  }
  return { program: "cfglint", args: ["server"] };
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

/** Why a server did not start, and what helps. */
export function startFailure(launch: Launch, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  const command = [launch.program, ...launch.args].join(" ");
  return `cfglint: \`${command}\` does not start: ${why}. Install it with pip install 'cfglint-llm[server]', or set cfglint.command.`;
}

/** The name of the document beside a file that shows its effective configuration. */
export function effectiveName(path: string): string {
  const name = path.split(/[\\/]/).pop() ?? "";
  return `${name.replace(/\.ya?ml$/i, "") || "config"} (effective).yml`;
}
