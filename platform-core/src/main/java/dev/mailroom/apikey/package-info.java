/** API keys: credentials of programs, each limited to one domain. */
@ApplicationModule(allowedDependencies = { "audit", "domain" })
@NullMarked
@Core.Tables(value = "api_key", functions = "api_key_by_prefix")
package dev.mailroom.apikey;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
