/** The page at the root of the admin port, which shows the state of the app. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.admin.home;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
