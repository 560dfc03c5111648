/**
 * Names of this machine; the ports for people and operators answer only requests to these
 * names. Read {@code HostFilter} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.standalone.host;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
