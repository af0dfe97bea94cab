// The model that agents talk to here: it reads what it is sent, as a model would, and plays this script. Each step is one
// call of a tool; the last is a sentence.
const CHART = `import pandas as pd
import matplotlib.pyplot as plt
frame = pd.DataFrame({"month": ["Jan", "Feb", "Mar"], "sold": [3, 5, 4]})
frame.plot.bar(x="month", y="sold")
plt.show()
print(frame["sold"].sum())`;

const python = (code) => ({ tool: "sandbox_execute", arguments: { language: "python", code } });

export const steps = (seconds) => [
  { name: "a program", ...python("print(1)"), expect: /(^|\W)1(\W|$)/ },
  { name: "a chart", ...python(CHART), expect: /12/, image: true },
  { name: "an error", ...python("import pandsa"), expect: /ModuleNotFoundError/ },
  { name: "the recovery", ...python("import pandas\nprint(pandas.Series([1, 2]).sum())"), expect: /(^|\W)3(\W|$)/ },
  {
    name: "a long program",
    tool: "sandbox_execute",
    arguments: { language: "bash", code: `echo begun; sleep ${seconds}; echo finished`, timeout: seconds + 60 },
    expect: /finished/,
  },
];

const RUNNING = /still running|running in the background|"status": ?"running"/i;
const EXECUTION = /\bexe_[0-9a-f]+/;

/// What the model does next.
/// @param played the steps
/// @param tools names of tools, as this agent calls them
/// @param results texts of the answers of tools so far, the oldest first
export function next(played, tools, results) {
  const named = (name) => tools.find((tool) => tool === name || tool.endsWith(`_${name}`) || tool.endsWith(`.${name}`));
  if (named("sandbox_execute") === undefined) {
    return { say: "ok" };
  }
  const last = results.at(-1);
  if (last !== undefined && RUNNING.test(last)) {
    const id = EXECUTION.exec(last)?.[0];
    return { call: named("execution_wait"), arguments: { execution_id: id, seconds: 40 } };
  }
  const done = results.filter((result) => !RUNNING.test(result)).length;
  const step = played[done];
  return step === undefined ? { say: "The script is done." } : { call: named(step.tool), arguments: step.arguments };
}
