/**
 * Results of the checks of the addresses from which mail is sent: reverse DNS, SPF and
 * block lists. Read {@code AddressChecks} first; the queries are made by the worker.
 */
@ApplicationModule(allowedDependencies = { "database", "domain" })
@NullMarked
@Core.Tables(writes = { "address_check", "block_list" })
package dev.mailroom.addresscheck;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
