package dev.mailroom;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

/** Test of the core's features with PostgreSQL and without an app. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(classes = WithCore.Features.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@ContextConfiguration(initializers = TestDatabase.class)
public @interface WithCore {

	/** The core without an app. */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Core.class)
	class Features {

	}

}
