package dev.mailroom.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.test.context.TestPropertySource;

/** Test of the app with little memory for bodies and short time limits for clients. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@WithApi
@TestPropertySource(properties = { "mailroom.in-flight-bytes=20000000", "mailroom.http.idle-timeout=4s",
		"mailroom.http.read-timeout=4s", "mailroom.http.write-timeout=2s" })
public @interface WithLimitedApi {

}
