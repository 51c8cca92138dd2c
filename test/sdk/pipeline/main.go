//go:build ignore

// A pipeline with openapi-generator's Go client.
package main

import (
	"context"
	"log"
	"os"

	client "example.com/pipeline/client"
)

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	indent := int32(4)
	decode := client.NewJwtDecodeStep("decode", "jwt_decode")
	yaml := client.NewJsonToYamlStep("yaml", "json_to_yaml")
	yaml.Options = &client.JsonToYamlOptions{Indent: &indent}
	request := client.NewPipelineRequest(1, *client.NewPipelineInput("application/jwt", os.Getenv("TOKEN")), []client.PipelineStep{
		client.JwtDecodeStepAsPipelineStep(decode), client.JsonToYamlStepAsPipelineStep(yaml),
	})
	request.ReturnStepIds = []string{"decode"}
	if _, _, err := client.NewAPIClient(configuration).PipelineAPI.Pipeline(context.Background()).PipelineRequest(*request).Execute(); err != nil {
		log.Fatal(err)
	}
}
