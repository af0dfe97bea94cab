import type { Document, Schema } from "./document";
import { type Member, members, typeOf } from "./tree";

/** What a value is made of, member by member. */
export function SchemaTree({ document, schema }: { document: Document; schema: Schema }) {
  const all = members(document, schema);
  return all.length === 0 ? (
    <p class="faint small">
      Any <code>{typeOf(document, schema)}</code>.
    </p>
  ) : (
    <Members all={all} />
  );
}

function Members({ all }: { all: Member[] }) {
  return (
    <ul class="schema">
      {all.map((member) => (
        <li key={member.name}>
          <code class="schema-name">{member.name}</code>{" "}
          <span class="schema-type">
            {member.type}
            {member.required ? ", required" : ""}
          </span>
          {(member.about !== "" || member.limits.length > 0) && (
            <span class="schema-about">
              {" "}
              {member.about} <span class="faint">{member.limits.join("; ")}</span>
            </span>
          )}
          {member.members.length > 0 && <Members all={member.members} />}
        </li>
      ))}
    </ul>
  );
}
