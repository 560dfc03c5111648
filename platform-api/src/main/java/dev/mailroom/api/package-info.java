/** The REST face for tenants' programs and people. */
@NullMarked
package dev.mailroom.api;

import org.jspecify.annotations.NullMarked;
