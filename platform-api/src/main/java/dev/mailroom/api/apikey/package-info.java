/** REST endpoints for API keys. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.apikey;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
