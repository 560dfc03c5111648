/** Where the links in mails lead to: for anybody, without a credential or a cookie. */
@ApplicationModule(allowedDependencies = "http")
@NullMarked
package dev.mailroom.api.tracking;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
