/**
 * The demo account of the standalone: created once on request, and filled through the
 * product's own interfaces with the data of a small press. Read {@code DemoAccount}
 * first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.standalone.demo;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
