/** The API's description: the OpenAPI document, and a page of it for people. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.docs;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
