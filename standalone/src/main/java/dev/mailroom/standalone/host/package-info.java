/**
 * Names of this machine, under which alone the ports for people and operators answer.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.standalone.host;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
