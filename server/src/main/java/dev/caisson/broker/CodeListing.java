package dev.caisson.broker;

import java.util.Set;

/// Listing of a tool in the toolset `code`, whose list stays short however many tools there are.
///
/// @param shortened whether it stands there beside its own toolset, in the short form
/// @param description what it says of itself there
/// @param members of its arguments that are named there
/// @param naming whether the ids of other servers are added to what it says
record CodeListing(boolean shortened, String description, Set<String> members, boolean naming) {
    static final CodeListing NONE = new CodeListing(false, "", Set.of(), false);

    CodeListing {
        members = Set.copyOf(members);
    }
}
