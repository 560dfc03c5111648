/**
 * Emails in the web app: lists, details, sending, previews, events, suppression lists and
 * reputation. Read {@code EmailResolver} first.
 */
@ApplicationModule(allowedDependencies = { "graphql" })
@NullMarked
package dev.mailroom.admin.email;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
