/// Chamber of `rest`: the rules of the policy, and questions about them.
@NullMarked
package dev.caisson.rest.policy;

import org.jspecify.annotations.NullMarked;
