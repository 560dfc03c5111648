/** The feed: events as tenants read them, in commit order. */
@ApplicationModule(allowedDependencies = { "accept", "email", "event", "wire" })
@NullMarked
package dev.mailroom.feed;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
