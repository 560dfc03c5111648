/** What is too large for a row: kept in a bucket of its own, where there is one. */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.blob;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
