/**
 * Policies of DMARC (RFC 9989): their records, and the walk that finds the one of a
 * domain. Read {@code DmarcDiscovery} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.dmarc;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
