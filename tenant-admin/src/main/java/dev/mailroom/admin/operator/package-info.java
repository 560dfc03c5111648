/** The platform for operators. Read {@code OperatorResolver} first. */
@ApplicationModule(allowedDependencies = { "email", "graphql" })
@NullMarked
package dev.mailroom.admin.operator;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
