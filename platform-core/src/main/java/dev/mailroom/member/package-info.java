/**
 * Members of accounts: the people who sign in, each with the account that they use and a
 * role in it, and what each role permits.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
@Core.Tables(value = "member", functions = "member_of")
package dev.mailroom.member;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
