/**
 * Queries about the addresses from which mail is sent: reverse DNS, SPF and block lists.
 * Read {@code AddressProbes} first.
 */
@ApplicationModule(allowedDependencies = { "dns" })
@NullMarked
package dev.mailroom.worker.address;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
