/// Sandboxes: a program goes in, an outcome comes out.
///
/// It has many files because two things stand here together. The vocabulary is for other rooms:
/// [Run], [Outcome], [Limits], [Runner], [Workspace], [Isolation] and what they are made of. The
/// door to the makers of sandboxes is [SandboxRuntime] with [Box], which [Sandboxes] and
/// [SandboxRun] use without knowing how a box is made. The pool and its places, sessions, and each
/// maker have chambers of their own.
@NullMarked
package dev.caisson.sandbox;

import org.jspecify.annotations.NullMarked;
