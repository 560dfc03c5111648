/**
 * The shape of the database: who may change it, which version it has, and whether it
 * keeps what it is given.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.schema;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
