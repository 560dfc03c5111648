package dev.mailroom.api.compat.resend;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.web.bind.annotation.RestController;

/** Marks a controller for clients of Resend, which a setting switches off. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@RestController
@ConditionalOnProperty(name = "mailroom.compat", havingValue = "resend")
@interface ResendRoutes {

}
