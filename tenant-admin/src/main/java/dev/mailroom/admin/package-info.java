/** The face for tenants' people and for operators. */
@NullMarked
package dev.mailroom.admin;

import org.jspecify.annotations.NullMarked;
