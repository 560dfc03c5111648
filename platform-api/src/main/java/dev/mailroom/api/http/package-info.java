/**
 * HTTP conventions of all routes: response envelopes, errors, JSON, paging and request
 * ids.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.api.http;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
