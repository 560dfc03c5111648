/**
 * What every route shares: the shape of answers and of errors, JSON, paging, request ids.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.http;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
