/**
 * Who owns what: accounts, how they come to be and how they sign in.
 */
@ApplicationModule(allowedDependencies = { "seal" })
@NullMarked
package dev.mailroom.account;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
