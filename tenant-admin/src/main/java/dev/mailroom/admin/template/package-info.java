/** Templates. Read {@code TemplateResolver} first. */
@ApplicationModule(allowedDependencies = { "email", "graphql" })
@NullMarked
package dev.mailroom.admin.template;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
