/** The REST API for tenants. */
@NullMarked
package dev.mailroom.api;

import org.jspecify.annotations.NullMarked;
