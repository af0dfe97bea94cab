import { render } from "preact";
import { startTheme } from "../shell/theme";
import "../styles/base.css";
import "../styles/shell.css";
import "../styles/parts.css";
import "../styles/docs.css";
import { DocsPage } from "./DocsPage";

startTheme();
const app = document.getElementById("app");
if (app !== null) {
  render(<DocsPage />, app);
}
