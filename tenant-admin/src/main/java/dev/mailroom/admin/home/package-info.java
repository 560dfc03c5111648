/**
 * What stands at the root of the admin port: that the app runs and what it depends on.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.admin.home;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
