/** Registration, sign-in, password reset and the caller's own account. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.account;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
