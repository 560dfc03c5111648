/** The REST API for tenants. Read {@code PlatformApi} first. */
@NullMarked
package dev.mailroom.api;

import org.jspecify.annotations.NullMarked;
