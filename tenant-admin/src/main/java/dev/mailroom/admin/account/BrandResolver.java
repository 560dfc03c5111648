package dev.mailroom.admin.account;

import java.util.Base64;
import java.util.List;
import java.util.Map;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.BrandChange;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Language;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** What recipients see of the caller's account. */
@Controller
class BrandResolver {

	private final Brands brands;

	BrandResolver(Brands brands) {
		this.brands = brands;
	}

	@SchemaMapping
	Mono<AccountBrand> brand(Viewer viewer) {
		return this.brands.find(viewer.scope()).map((brand) -> new AccountBrand(viewer.scope(), brand));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateBrand(Scope scope, @Argument UpdateBrandInput input) {
		return Payload.of("brand",
				Mono.fromCallable(input::change)
					.flatMap((change) -> this.brands.change(scope, change))
					.map((brand) -> new AccountBrand(scope, brand)));
	}

	@SchemaMapping(typeName = "Brand")
	Mono<String> logo(AccountBrand brand) {
		return Mono.justOrEmpty(brand.brand().logo())
			.flatMap((id) -> this.brands.logo(brand.scope(), id))
			.map((logo) -> "data:" + logo.type() + ";base64," + Base64.getEncoder().encodeToString(logo.content()));
	}

	/** A brand with the account that it belongs to. */
	record AccountBrand(Scope scope, Brand brand) {

		String name() {
			return this.brand.name();
		}

		@Nullable String colour() {
			return (this.brand.colour() != null) ? this.brand.colour().toString() : null;
		}

		String footer() {
			return this.brand.footer();
		}

		List<Language> languages() {
			return this.brand.languages();
		}

	}

	/** The settings of a brand. */
	record UpdateBrandInput(String name, @Nullable String colour, String footer, List<Language> languages,
			@Nullable String logo) {

		BrandChange change() {
			return BrandChange.of(this.name, this.colour, this.footer, this.languages, this.logo);
		}

	}

}
