/**
 * The documentation site, the OpenAPI document and the reference page made from it. Read
 * {@code DocsController} first.
 */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.docs;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
