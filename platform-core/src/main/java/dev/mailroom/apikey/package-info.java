/** What tenants' programs sign in with: keys of one domain each. */
@ApplicationModule(allowedDependencies = "domain")
@NullMarked
package dev.mailroom.apikey;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
