/** Rate limits of requests for each account. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.rate;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
