/** API keys. */
@ApplicationModule(allowedDependencies = "graphql")
@NullMarked
package dev.mailroom.admin.apikey;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
