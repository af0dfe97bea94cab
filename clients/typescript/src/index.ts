/** Client for Caisson, a server that runs programs of AI agents in sandboxes. */

export { Caisson, Execution, Session, Thread } from "./client.js";
export {
  ApiError,
  CaissonError,
  Conflict,
  Forbidden,
  InvalidRequest,
  NotFound,
  RunFailed,
  ServerFault,
  Unauthorized,
  Unavailable,
  Unreachable,
} from "./errors.js";
export { Files } from "./files.js";
export { type Event, type File, Result, type RunOptions, type Status } from "./models.js";
