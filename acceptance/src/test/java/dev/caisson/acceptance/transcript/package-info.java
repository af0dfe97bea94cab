/// Exchanges as readable text: what a client sends, what the server must answer.
///
/// A transcript is a file. It begins with a title and a paragraph of intent, then says which server
/// it needs (`server: open`, `keys`, `small` or `stdio`; with `fresh` every case gets its own),
/// then holds cases. A case begins with `-- what it shows` and is a list of lines:
///
/// | line | meaning |
/// |---|---|
/// | `> POST /mcp` | a request on a connection of its own; further `>` lines are headers, the first one that starts with a brace or a bracket or follows an empty `>` is the body |
/// | `> key: alice` | the header that carries alice's key |
/// | `> modern: tools/call greet` | the three headers that mirror a request of 2026-07-28 |
/// | `> Accept: (none)` | leaves out a header that is sent by default |
/// | `> raw: POST /mcp HTTP/1.1` | this and the following lines are sent as they are |
/// | `< 200 application/json` | the status, and the type if it matters |
/// | `< Name: value` | a header; `< !Name` says that it is absent |
/// | `< {...}` | the JSON-RPC answer, whether it came as JSON or as the last event of a stream |
/// | `< (empty)` | no body |
/// | `[s]> GET /sse` | a request whose answer stays open under a name |
/// | `[s]<< {...}` | its next message; `<< endpoint /x` an event of another name; `<< priming` an id without data; `<< comment` a comment at once; `<< end` the proper end; `<< nothing` nothing for a moment; `<< gone` closed |
/// | `[s]> close` | the client goes away |
/// | `[eventually]> ...` | is repeated until the answer is as expected |
///
/// In what is expected, `...` at the end of an object or an array allows more, and a string may
/// hold `{{any}}`, `{{text}}`, `{{number}}`, `{{~a regular expression}}` or `{{name=text}}`, which
/// also remembers the value; `{{name}}` puts it in later. `{{meta}}` is the metadata of a request
/// of 2026-07-28, `{{meta sampling tasks}}` with these capabilities; `{{x 100}}` is a hundred
/// letters, `{{deep 100}}` a hundred arrays inside each other.
@NullMarked
package dev.caisson.acceptance.transcript;

import org.jspecify.annotations.NullMarked;
