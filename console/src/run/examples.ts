import nodeChart from "./examples/chart.js?raw";
import pythonChart from "./examples/chart.py?raw";
import bashChart from "./examples/chart.sh?raw";
import typescriptChart from "./examples/chart.ts?raw";
import pythonError from "./examples/error.py?raw";
import pythonFiles from "./examples/files.py?raw";
import bashFiles from "./examples/files.sh?raw";
import pythonHello from "./examples/hello.py?raw";
import nodeStream from "./examples/stream.js?raw";
import pythonStream from "./examples/stream.py?raw";
import typescriptTypes from "./examples/types.ts?raw";

export interface Example {
  language: string;
  title: string;
  code: string;
}

/** The first of a language is what the editor starts with. */
export const EXAMPLES: Example[] = [
  { language: "python", title: "Hello, sandbox", code: pythonHello },
  { language: "python", title: "Draw a chart", code: pythonChart },
  { language: "python", title: "Write CSV and JSON files", code: pythonFiles },
  { language: "python", title: "Stream colours and progress", code: pythonStream },
  { language: "python", title: "Fail with an exception", code: pythonError },
  { language: "node", title: "Stream while it runs", code: nodeStream },
  { language: "node", title: "Draw a chart", code: nodeChart },
  { language: "typescript", title: "Types and a result", code: typescriptTypes },
  { language: "typescript", title: "Draw a chart", code: typescriptChart },
  { language: "bash", title: "Look around and keep a file", code: bashFiles },
  { language: "bash", title: "Draw a chart", code: bashChart },
];

export function examplesOf(language: string): Example[] {
  return EXAMPLES.filter((example) => example.language === language);
}

export function defaultCode(language: string): string {
  return examplesOf(language)[0]?.code ?? "";
}
