/**
 * How receivers take what accounts send: counts kept as mails settle, and what they say.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.reputation;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
