/** The admin app for tenants and operators. */
@NullMarked
package dev.mailroom.admin;

import org.jspecify.annotations.NullMarked;
