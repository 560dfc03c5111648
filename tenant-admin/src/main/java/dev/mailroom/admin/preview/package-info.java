/** Previews of HTML in frames of the web app, by URLs that are valid for one minute. */
@ApplicationModule(allowedDependencies = { "graphql", "limit" })
@NullMarked
package dev.mailroom.admin.preview;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
