/// The one way to call a tool: catalogue, visibility, schema. Never names a tool.
@NullMarked
package dev.caisson.broker;

import org.jspecify.annotations.NullMarked;
