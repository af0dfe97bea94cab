import { render } from "preact";
import { App } from "./shell/App";
import { followHash } from "./shell/route";
import { startTheme } from "./shell/theme";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/run.css";
import "./styles/pages.css";
import "./styles/cells.css";
import "./styles/calls.css";
import "./styles/tools.css";

startTheme();
followHash();
const app = document.getElementById("app");
if (app !== null) {
  render(<App />, app);
}
