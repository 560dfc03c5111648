/**
 * Sites: mail servers of recipients that share limits. Profiles of providers with their
 * rules for replies, and what was learned about the pace of a site. Read {@code Profiles}
 * and {@code SiteMemory} first; the worker applies them.
 */
@ApplicationModule(allowedDependencies = { "database", "secret" })
@NullMarked
@Core.Tables(writes = { "provider_profile", "site_memory" })
package dev.mailroom.site;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
