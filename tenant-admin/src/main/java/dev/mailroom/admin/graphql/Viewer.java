package dev.mailroom.admin.graphql;

import dev.mailroom.Scope;

/**
 * The account whose data a part of a query reads: that of the caller, or one that an
 * operator watches.
 */
public record Viewer(Scope scope) {
}
