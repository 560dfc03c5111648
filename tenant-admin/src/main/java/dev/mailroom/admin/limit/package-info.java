/** Limits on the work and on the memory that requests to the admin port cause. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.admin.limit;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
