/** The admin app for tenants and operators. Read {@code TenantAdmin} first. */
@NullMarked
package dev.mailroom.admin;

import org.jspecify.annotations.NullMarked;
